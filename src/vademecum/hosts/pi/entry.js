// Made by vademecum for pi; `vade uninstall pi` takes it out again.
const settings = "@settings@";

export default async function vademecum(pi) {
  try {
    const { attach } = await import("@plugin@");
    await attach(pi, settings);
  } catch {
    // pi goes on without memory; `vade doctor` says what is wrong.
  }
}
