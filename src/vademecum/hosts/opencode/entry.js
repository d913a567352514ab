// Made by vademecum for opencode; `vade uninstall opencode` takes it out again.
const settings = "@settings@";
const load = () => import("@plugin@");

export default {
  id: "vademecum",
  async server(input) {
    try {
      const { server } = await load();
      return await server(input, settings);
    } catch (error) {
      tell(input, `memory was not loaded: ${error?.message}; \`vade doctor\` says what is wrong`);
      return {};
    }
  },
  async setup(context) {
    try {
      const { setup } = await load();
      return await setup(context, settings);
    } catch {
      return undefined; // `vade doctor` says what is wrong
    }
  },
};

/** Write to opencode's log: what is printed goes into its terminal interface. */
function tell(input, message) {
  const written = input?.client?.app?.log?.({ body: { service: "vademecum", level: "error", message } });
  Promise.resolve(written).catch(() => {});
}
