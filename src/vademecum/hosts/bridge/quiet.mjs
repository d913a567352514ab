/** A hook that throws hurts its host; ours end quietly instead. */

/** The function, which resolves to undefined where it would throw. */
export function quiet(work) {
  return async (...values) => {
    try {
      return await work(...values);
    } catch {
      return undefined;
    }
  };
}

/** The hooks with every function made quiet. */
export function quietly(hooks) {
  const made = Object.entries(hooks).map(([name, hook]) => [name, typeof hook === "function" ? quiet(hook) : hook]);
  return Object.fromEntries(made);
}

/** The function, which works at its first call only. */
export function once(work) {
  let isDone = false;
  return () => {
    if (isDone) return undefined;
    isDone = true;
    return work();
  };
}
