/** Thrown by `exit`, `break` and `continue`, and by an error that ends a script, but not a session. */
export class Leave extends Error {
  readonly what: 'exit' | 'break' | 'continue' | 'error';
  readonly code: number;

  constructor(what: Leave['what'], code: number) {
    super(what);
    this.what = what;
    this.code = code;
  }
}
