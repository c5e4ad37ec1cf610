/**
 * Puts values in the place of `$(NAME)`. What names nothing stays as it is; `$$(NAME)` is `$(NAME)`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 third_party/forked/golang/expansion/expand.go Expand
 */
export function expand(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\(([^)]*)\)/g, (match, name: string | undefined) =>
    name === undefined ? '$' : Object.hasOwn(values, name) ? (values[name] as string) : match,
  );
}
