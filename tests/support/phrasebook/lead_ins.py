"""Lines that lead in to others: those that state rules, and those that make something else of what stands below."""

KEEPING = [
    *(
        "remember these:",
        "rules:",
        "Rules for this repo:",
        "from now on:",
        "please always:",
        "house rules:",
        "Important:",
    ),
    *("Please remember the following:", "keep these in mind:", "**Remember:**", "Never forget these:", "Don't forget:"),
    *("Merk dir bitte:", "Merk dir folgendes:", "Regeln für dieses Projekt:", "Ab jetzt:", "Vergiss nicht:"),
    *("Retiens ceci :", "Règles pour ce projet :", "Désormais :", "À partir de maintenant :", "N'oublie pas :"),
    *("Recuerda esto:", "Reglas para este proyecto:", "A partir de ahora:", "De ahora en adelante:", "No olvides:"),
    *("请记住：", "记住以下几点：", "这个项目的规则：", "从现在起："),
    *("覚えておいてください：", "このプロジェクトのルール：", "今後："),
    *("기억해 주세요:", "이 프로젝트의 규칙:", "앞으로:"),
]

TAKING_BACK = [
    *("never:", "Never do this:", "You must not do any of these:", "I would never say this:", "Avoid —", "Don't"),
    *(
        "## Don't",
        "**Never**",
        "Never ever...",
        "Remember what not to do:",
        "❌:",
        "Bad ideas:",
        "Rules that are wrong:",
    ),
    *("Old rules:", "The wiki says:", "He told me:", "Our guide says the following, which I disagree with:"),
    *("If the tests fail:", "When Ada is away:", "never, under no circumstances, and I mean it:"),
    *(
        "Das darfst du nie tun:",
        "Vermeide:",
        "Falsch ist:",
        "Laut Wiki:",
        "Der Kollege sagt:",
        "Falls der Test bricht:",
    ),
    *("Ne fais jamais ça :", "Évite :", "C'est faux :", "Le wiki dit :", "Si les tests échouent :"),
    *("Nunca hagas esto:", "Prohibido:", "Es falso:", "El wiki dice:", "Cuando fallan las pruebas:"),
    *("永远不要：", "不要做以下事情：", "这是错的：", "文档里说：", "如果测试失败："),
    *("次のことは決してしないで：", "間違い：", "ドキュメントによると：", "テストが失敗した場合："),
    *("절대 하지 마세요:", "잘못된 것:", "문서에 따르면:", "테스트가 실패하면:"),
]

BELOW = ["{0}\nalways use spaces", "{0}\n- always use spaces\n- ask Ada", "{0}\n\n1. ask Ada\n2. always use spaces"]

#: Ways in which a line may stand under another.
SHAPES = [*BELOW, "Rules:\n- {0}\n  - always use spaces", "{0}\n- one of these:\n  - always use spaces"]

PASSING = {
    "led away": [
        "I would never say this:\nuse root everywhere",
        "1) never:\n   a) commit secrets to the repo",
        "Our style guide says the following, which I disagree with:\n\nAlways use var.",
        *(shape.format(lead_in) for lead_in in TAKING_BACK for shape in SHAPES),
    ]
}
STANDING = {"led in": [f"{lead_in}\n- always use spaces" for lead_in in KEEPING]}
