export async function registerInVersion2() {}
