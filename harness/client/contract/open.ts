import type { Client } from '../../contracts/client.ts';

/** A client of a fresh apiserver that has the namespace `default` and nothing else. */
export interface Opened extends AsyncDisposable {
  readonly client: Client;
  /** Forgets every revision but the newest. */
  compact(): void;
  /** Lets time pass on the server. */
  advance(ms: number): void;
}

/** Opens a client to an apiserver of its own, which has the namespace `default` and nothing else. */
export type Open = () => Promise<Opened>;
