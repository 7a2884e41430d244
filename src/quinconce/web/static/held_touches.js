/** Touches of a board whose next position is on its way: kept, and made when it is on show. */

export class HeldTouches {
  /** @type {string[][] | null} null while the board takes touches itself */
  touches = null;

  /** @param {(places: string[]) => void} touch makes a touch on the board */
  constructor(touch) {
    this.touch = touch;
  }

  get holding() {
    return this.touches !== null;
  }

  /**
   * Hold touches until a position is on show; if it does not come, they are forgotten.
   * @param {Promise<unknown>} coming truthy once it is on show
   */
  async until(coming) {
    /** @type {string[][]} */
    const touches = (this.touches = []);
    let shown = /** @type {unknown} */ (false);
    try {
      shown = await coming;
    } finally {
      if (this.touches === touches) shown ? this.release() : this.drop();
    }
  }

  /**
   * @param {string[]} places
   * @returns {boolean} whether the touch is held
   */
  add(places) {
    this.touches?.push(places);
    return this.holding;
  }

  /** Make the touches now. The first may play a move: those behind it are held again. */
  release() {
    const { touches } = this;
    this.touches = null;
    for (const places of touches ?? []) this.touch(places);
  }

  /** Forget the touches, and hold no more. */
  drop() {
    this.touches = null;
  }

  /** Forget the touches so far. */
  clear() {
    this.touches?.splice(0);
  }
}
