/**
 * Replaces variables such as `$(PORT)` by their values. A variable without a value stays unchanged. `$$` stands for
 * `$`, so `$$(PORT)` becomes `$(PORT)`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 third_party/forked/golang/expansion/expand.go Expand, MappingFuncFor
 *
 * @param lookUp returns the value of a variable, or undefined for an unknown variable
 */
export function expand(text: string, lookUp: (name: string) => string | undefined): string {
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (written, name?: string) =>
    name === undefined ? '$' : (lookUp(name) ?? written),
  );
}
