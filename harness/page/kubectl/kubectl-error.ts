/** An error of kubectl itself, which is printed behind `error: `. */
export class KubectlError extends Error {
  override readonly name = 'KubectlError';
  readonly exitCode: number;
  /** Whether the text is printed as it is, without `error: `. */
  readonly isPlain: boolean;

  constructor(message: string, { exitCode = 1, isPlain = false } = {}) {
    super(message);
    this.exitCode = exitCode;
    this.isPlain = isPlain;
  }
}
