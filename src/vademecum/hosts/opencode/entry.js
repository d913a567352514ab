// Made by vademecum for opencode; `vade uninstall opencode` takes it out again.
const settings = "@settings@";
const load = () => import("@plugin@");

export default {
  id: "vademecum",
  server: async (input) => load().then((plugin) => plugin.server(input, settings)).catch(() => ({})),
  setup: async (context) => load().then((plugin) => plugin.setup(context, settings)).catch(() => undefined),
};
