/**
 * Replaces variables such as `$(PORT)` by their values. A variable without a value stays unchanged. `$$` stands for
 * `$`, so `$$(PORT)` becomes `$(PORT)`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 third_party/forked/golang/expansion/expand.go Expand, MappingFuncFor
 *
 * @param lookUp returns the value of a variable, or undefined for an unknown variable
 */
export function expand(text: string, lookUp: (name: string) => string | undefined): string {
  // No reference ends after the last parenthesis. Without this cut, the pattern would search for an end from each `$(`.
  const end = text.lastIndexOf(')') + 1;
  const expanded = text
    .slice(0, end)
    .replace(/\$(?:\$|\(([^)]*)\))/g, (written, name?: string) =>
      name === undefined ? '$' : (lookUp(name) ?? written),
    );
  return expanded + text.slice(end).replaceAll('$$', () => '$');
}
