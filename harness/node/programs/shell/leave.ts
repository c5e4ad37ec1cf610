/** Thrown by `exit`, `break` and `continue`. */
export class Leave extends Error {
  readonly what: 'exit' | 'break' | 'continue';
  readonly code: number;

  constructor(what: Leave['what'], code: number) {
    super(what);
    this.what = what;
    this.code = code;
  }
}
