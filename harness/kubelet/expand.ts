/**
 * Puts values in the places of variables: `$(PORT)`. One that has no value stays as it is written; `$$` stands for `$`, so that
 * `$$(PORT)` becomes `$(PORT)`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 third_party/forked/golang/expansion/expand.go Expand, MappingFuncFor
 *
 * @param lookUp the value of a variable; undefined when there is none
 */
export function expand(text: string, lookUp: (name: string) => string | undefined): string {
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (written, name?: string) =>
    name === undefined ? '$' : (lookUp(name) ?? written),
  );
}
