/** The expression in JavaScript's words; undefined for one that it does not know. */
export function regularExpression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    try {
      return new RegExp(pattern);
    } catch {
      return undefined;
    }
  }
}

/** Why an expression is none; undefined for one that is. */
export function compileError(pattern: string): string | undefined {
  return regularExpression(pattern) ? undefined : 'it cannot be parsed';
}
