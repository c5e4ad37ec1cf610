/** Returns ` -n NAMESPACE`; empty for `default`. */
export function namespaceFlag(namespace: string): string {
  return namespace === 'default' ? '' : ` -n ${namespace}`;
}
