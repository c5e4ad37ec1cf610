import type { NetworkNamespace } from '../stack/namespace.ts';

/** The namespaces of a machine, as its tools find them. */
export interface Namespaces {
  readonly host: NetworkNamespace;
  /** Those that have a name, which is that of a file in `/var/run/netns`. */
  readonly named: ReadonlyMap<string, NetworkNamespace>;
  /** @throws Refusal when there is none of this name */
  called(name: string): NetworkNamespace;
  /** @throws Refusal when there is one */
  add(name: string): NetworkNamespace;
  /** @throws Refusal when there is none of this name */
  remove(name: string): void;
  nowMs(): number;
}
