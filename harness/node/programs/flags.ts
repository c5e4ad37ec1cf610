/**
 * Returns the value of a flag: `--port 80`, `--port=80`, `-p 80`, `-p80`, `-qp 80`. Undefined if the flag is absent.
 *
 * @param flag - `--port`, or one letter: `-p`
 */
export function flagValue(argv: readonly string[], flag: string): string | undefined {
  if (flag.startsWith('--')) {
    const at = argv.findIndex((arg, i) => i > 0 && (arg === flag || arg.startsWith(`${flag}=`)));
    if (at < 0) return undefined;
    return argv[at] === flag ? argv[at + 1] : argv[at]?.slice(flag.length + 1);
  }
  const pattern = new RegExp(`^-[a-zA-Z]*?${flag.slice(1)}(.*)$`);
  for (const [at, arg] of argv.entries()) {
    const [, joined] = (at > 0 && pattern.exec(arg)) || [];
    if (joined !== undefined) return joined || argv[at + 1];
  }
  return undefined;
}

/** Whether a flag of one letter is present, alone or combined with others: `-q`, `-qO-`. */
export function hasFlag(argv: readonly string[], flag: string): boolean {
  return argv.some((arg, at) => at > 0 && new RegExp(`^-[a-zA-Z]*${flag.slice(1)}`).test(arg));
}
