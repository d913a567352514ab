/** Maps that forget what was not used for longest, so that a host that runs for weeks does not grow. */
export class LruMap extends Map {
  constructor(limit) {
    super();
    this.limit = limit;
  }

  /** The value, which counts as used from now on. */
  get(key) {
    const value = super.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key, value) {
    super.delete(key);
    super.set(key, value);
    if (this.size > this.limit) this.delete(this.keys().next().value);
    return this;
  }
}
