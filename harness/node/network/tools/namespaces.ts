import type { NetworkNamespace } from '../stack/namespace.ts';

/** The namespaces of a machine, for its tools. */
export interface Namespaces {
  readonly host: NetworkNamespace;
  /** The named namespaces, by their file names in `/var/run/netns`. */
  readonly named: ReadonlyMap<string, NetworkNamespace>;
  /** @throws Refusal when no namespace has this name */
  called(name: string): NetworkNamespace;
  /** @throws Refusal when a namespace with this name exists */
  add(name: string): NetworkNamespace;
  /** @throws Refusal when no namespace has this name */
  remove(name: string): void;
  nowMs(): number;
}
