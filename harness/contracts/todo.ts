/** Thrown by an unimplemented function of a kata. It names the function and the heading to read. */
export class NotImplemented extends Error {
  override readonly name = 'NotImplemented';
  /** The number of errors created in this process. A stub's rejection may be swallowed; this count shows it. */
  static thrown = 0;
  /** The last created error, in case its rejection was swallowed. */
  static last: NotImplemented | undefined;
  /** Called for each new error: code that swallows it may loop without ever yielding. */
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
 * The body of a function that the learner writes.
 *
 * @param kata the folder, `21-informer`
 * @param symbol the function, `DeltaFIFO.pop`
 * @param heading the heading in the kata's README, `Level 2`
 * @throws NotImplemented always
 */
export function todo(kata: string, symbol: string, heading: string): never {
  throw new NotImplemented(kata, symbol, heading);
}
