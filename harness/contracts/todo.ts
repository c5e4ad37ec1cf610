/** What an unwritten body of a kata throws: it says what is missing and where to read. */
export class NotImplemented extends Error {
  override readonly name = 'NotImplemented';
  /** How many were made in this process. A stub's rejection may be swallowed; this count is not. */
  static thrown = 0;
  /** The one made last: what a swallowed rejection would have said. */
  static last: NotImplemented | undefined;
  /** Told of each as it is made: code that swallows it may never give the turn back. */
  static onMade: (error: NotImplemented) => void = () => {};

  /** `21-informer` */
  readonly kata: string;
  /** `DeltaFIFO.pop` */
  readonly symbol: string;
  /** The README heading to read: `Level 2`. */
  readonly heading: string;

  constructor(kata: string, symbol: string, heading: string) {
    super(`${symbol} is not written yet. Read "${heading}" in katas/${kata}/README.md.`);
    this.kata = kata;
    this.symbol = symbol;
    this.heading = heading;
    NotImplemented.thrown++;
    NotImplemented.last = this;
    NotImplemented.onMade(this);
  }
}

/**
 * The body of a function that the learner is to write.
 *
 * @param kata the folder, `21-informer`
 * @param symbol the function, `DeltaFIFO.pop`
 * @param heading the heading in the kata's README, `Level 2`
 * @throws NotImplemented always
 */
export function todo(kata: string, symbol: string, heading: string): never {
  throw new NotImplemented(kata, symbol, heading);
}
