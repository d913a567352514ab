"""Where programs take a password or a token on their command lines, as data."""

__all__ = ["BLANK", "COMMANDS", "QUOTE", "READERS", "SURE", "VALUE"]

QUOTE = r"""(?:\\{0,15}["'])?"""
VALUE = rf"""{QUOTE}(?P<value>[^\s"'\\$|<>-][^\s"'\\|]{{2,256}})"""
SURE = VALUE.replace("(?P<value>", r"(?=[^\s\"']{0,64}?[0-9])(?P<value>")
"""Where the word that stands there might be one of a sentence."""
BLANK = r"(?:[ \t]|\\\r?\n|\\\\n)"
"""Also to the next line of a command that goes on there."""

_TOKEN = rf"{QUOTE}(?P<value>(?=[^\s\"']{{0,64}}?[0-9])[\w.~+/=-]{{16,512}})"
_LOGIN = rf"{QUOTE}[^\s:\"'\\,%]{{0,128}}"
_USER_OPTION = (
    rf"{BLANK}(?:-[A-Za-z]{{0,6}}u|--(?:proxy-)?user|-U|-a|--?auth)[ \t=]{{0,4}}{_LOGIN}:(?P<value>[^\s\"'\\]{{1,256}})"
)
_GLUED = rf"{BLANK}-p{VALUE}"
_SHORT = rf"{BLANK}-[pPa][ \t]{{0,2}}{VALUE}"
_APART = rf"{BLANK}-[pP][ \t:]{{1,4}}{VALUE}"
_NEXT = rf"{BLANK}{{1,8}}{SURE}"
_WORD = rf"{BLANK}{{1,8}}\S{{1,128}}{_NEXT}"
_AFTER_T = rf"{BLANK}(?:-t|--token)[ \t=]{{1,4}}{_TOKEN}"

#: How a command line begins -> where in the rest of it the value stands.
COMMANDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("curl ", "http ", "https ", "xh ", "wget ", "etcdctl ", "jenkins-cli"), _USER_OPTION),
    (("mysql ", "mysqldump ", "mysqladmin ", "mysqlimport ", "mysqlcheck ", "mysqlpump ", "mysqlsh "), _GLUED),
    (("mariadb ", "mariadb-dump ", "mariadb-admin ", "7z ", "7za ", "unrar "), _GLUED),
    (("mysqladmin ", "mariadb-admin "), rf"[ \t]password[ \t]{{1,4}}{VALUE}"),
    (("sshpass ", "docker login", "podman login", "buildah login", "nerdctl login", "redis-cli "), _SHORT),
    (("redis-cli ",), rf"[ \t](?:AUTH|auth)[ \t]{{1,4}}(?:\w{{1,64}}[ \t]{{1,4}})?{SURE}"),
    (("mongosh ", "mongo ", "mongodump ", "mongorestore ", "mongoexport ", "mongoimport "), _APART),
    (("cqlsh ", "snowsql ", "sqlcmd ", "bcp "), _APART),
    (("isql ", "mosquitto_pub ", "mosquitto_sub ", "ncftpput ", "ncftpget ", "rdesktop ", "useradd "), _APART),
    (("auth login ", "oc login", "cf login", "az login", "az acr login", "az sql ", "registry login"), _APART),
    (("ibmcloud login", "twine upload", "poetry publish", "rabbitmqadmin ", "usermod ", "winrs "), _APART),
    (("psexec ", "evil-winrm ", "crackmapexec ", "netexec ", "nxc ", "hydra ", "vagrant ssh"), _APART),
    (("unlock-keychain", "create-keychain", "security import", "veracrypt ", "certutil "), _APART),
    (("ipmitool ",), rf"{BLANK}-P[ \t]{{1,4}}{VALUE}"),
    (("zip ", "unzip "), rf"{BLANK}-[A-Za-z0-9]{{0,4}}P[ \t]{{0,2}}{VALUE}"),
    (
        ("kadmin ", "ldapsearch ", "ldapmodify ", "ldapadd ", "ldapdelete ", "ldapwhoami "),
        rf"{BLANK}-w[ \t]{{1,4}}{VALUE}",
    ),
    (("add-generic-password", "add-internet-password"), rf"{BLANK}-w[ \t]{{1,4}}{VALUE}"),
    (("ldappasswd ",), rf"{BLANK}-[asw][ \t]{{1,4}}{VALUE}"),
    (("addprinc ", "ank ", "cpw "), rf"{BLANK}?-pw[ \t]{{1,4}}{VALUE}"),
    (("ssh-keygen ",), rf"{BLANK}-[NP][ \t]{{1,4}}{VALUE}"),
    (("snmpwalk ", "snmpget ", "snmpset ", "snmpbulkwalk "), rf"{BLANK}-[AXc][ \t]{{1,4}}{VALUE}"),
    (("sendemail ",), rf"{BLANK}-xp[ \t]{{1,4}}{VALUE}"),
    (("openssl ",), rf"{BLANK}(?:-pass(?:in|out)?[ \t]{{1,4}}{QUOTE}pass:|-k[ \t]{{1,2}}){VALUE}"),
    (("openssl passwd",), rf"{BLANK}-(?:[156]|apr1){BLANK}{{1,4}}{VALUE}"),
    (("sqlplus ", "impdp ", "expdp ", "sqlldr "), r"""[ \t]{1,4}[\w$\#]{1,64}/["']?(?P<value>[^\s@"'\\]{3,256})"""),
    (
        ("CONNECT ", "conn "),
        r"""[ \t]{1,4}[A-Za-z][\w$\#]{0,63}/["']?(?=[^\s@"'/]{0,64}[0-9])(?P<value>[^\s@"'\\/]{6,256})""",
    ),
    (("smbclient ", "smbmap ", "rpcclient "), rf"{BLANK}-U[ \t]{{0,4}}{QUOTE}[^\s%\"']{{1,128}}%{VALUE}"),
    (("smbclient ",), rf"//[^\s/]{{1,128}}/\S{{1,128}}{BLANK}{{1,4}}{VALUE}"),
    (
        ("impacket-", "secretsdump", "psexec.py ", "wmiexec", "smbexec", "GetUserSPNs", "GetNPUsers"),
        r"""[ \t'"][\w.-]{1,64}/[\w.$-]{1,64}:['"]?(?P<value>[^\s"'\\|@]{3,256})['"]?@""",
    ),
    (("lftp ",), rf"{BLANK}-u[ \t]{{0,4}}{QUOTE}[^\s,\"']{{1,128}},{VALUE}"),
    (("xfreerdp ", "wfreerdp ", "cmdkey "), rf"{BLANK}/p(?:ass)?:{VALUE}"),
    (("signtool sign",), rf"{BLANK}/p[ \t]{{1,4}}{VALUE}"),
    (("schtasks ",), rf"{BLANK}/rp[ \t]{{1,4}}{VALUE}"),
    (
        ("htpasswd ", "mosquitto_passwd "),
        rf"{BLANK}-(?=\w{{0,6}}b)(?!\w{{0,6}}n)\w{{1,7}}{BLANK}+[^\s-]\S{{0,128}}{_WORD}",
    ),
    (("htpasswd ",), rf"{BLANK}-(?=\w{{0,6}}b)(?=\w{{0,6}}n)\w{{2,7}}(?:{BLANK}{{1,4}}[0-9]{{1,2}}(?=[ ]))?{_WORD}"),
    (("gh secret set ",), rf"{BLANK}(?:--body|-b)[ \t=]{{0,2}}{VALUE}"),
    (("az keyvault secret set",), rf"{BLANK}--value[ \t=]{{1,2}}{VALUE}"),
    (("ssm put-parameter",), rf"(?=.{{0,300}}SecureString).{{0,300}}?{BLANK}--value[ \t=]{{1,2}}{VALUE}"),
    (("pulumi config set",), rf"{BLANK}--secret{_WORD}"),
    (("nuget push",), rf"{BLANK}-k[ \t]{{1,4}}{_TOKEN}"),
    (("doctl auth init", "codecov ", "influx ", "hcloud "), _AFTER_T),
    (("poetry config",), rf"{BLANK}http-basic\.\S{{1,64}}{_WORD}"),
    (("poetry config",), rf"{BLANK}pypi-token\.\S{{1,64}}{BLANK}{{1,4}}{_TOKEN}"),
    (("net user ", "rabbitmqctl add_user", "rabbitmqctl change_password", "wpa_passphrase", "bw login"), _WORD),
    (("samba-tool user create", "samba-tool user add", "drush upwd", "drush user:password"), _WORD),
    (("drush user-password", "poetry config http-basic", "consul kv put", "etcdctl put"), _WORD),
    (("set-user-password", "isql -v"), rf"{BLANK}{{1,8}}\S{{1,128}}{_WORD}"),
    (("net use ", "runas "), rf"{BLANK}/user:\S{{1,128}}[ \t]{{1,4}}{VALUE}"),
    (("net use ",), rf"""\\\S{{1,128}}[ \t]{{1,4}}(?!/){VALUE}["']?[ \t]{{1,4}}/user:"""),
    (("vault login", "ansible-vault encrypt_string", "bw unlock", "rclone obscure", "reset-admin-password"), _NEXT),
    (
        ("ngrok authtoken", "add-authtoken", "cargo login", "snyk auth", "wandb login", "service install"),
        rf"{BLANK}{{1,4}}{_TOKEN}",
    ),
    (("-Dsonar.login",), rf"=\b{_TOKEN}"),
    (("pdftk ",), rf"{BLANK}(?:user|owner|input)_pw{BLANK}{{1,4}}{VALUE}"),
    (("qpdf ",), rf"{BLANK}--encrypt{BLANK}{{1,4}}(?:\S{{1,64}}{BLANK}{{1,4}})?{VALUE}"),
    (("ConvertTo-SecureString",), rf"[ \t]{{1,4}}(?:-(?:String|AsPlainText|Force)[ \t]{{1,4}}){{0,3}}{SURE}"),
    (("tacacs-server ", "radius-server "), rf"[ ]key[ ](?:[0-9][ ])?{SURE}"),
)

READERS = (
    r"(?:--password-stdin|--passwd-on-stdin|--with-token|--stdin|--password|sudo[ ]-S|chpasswd|(?<![\w/.-])passwd"
    r"|vncpasswd|smbpasswd|kinit|cryptsetup|kubeseal|secret-tool|read[ ]-\w{0,3}s|(?<![\w/.-])pass[ ]insert"
    r"|(?:vault|lpass|wandb|terraform)[ ]login|op[ ]signin|keepassxc-cli|realm[ ]join|adcli[ ]join|context[ ]create"
    r"|(?:docker|podman|gh|gcloud|wrangler|vercel|fly|flyctl|supabase)[ ](?:secrets?|env)[ ]"
    r"(?:set|create|put|add|versions))"
)
"""Programs that read a secret from what is piped into them, or given to them with `<<<` or `<<`."""
