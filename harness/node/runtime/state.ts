import type { Container } from './container.ts';
import type { Sandbox } from './sandbox.ts';

/** What a runtime keeps on disk: it survives the runtime, and the machine's death. */
export class RuntimeState {
  /** Oldest first. */
  readonly sandboxes = new Map<string, Sandbox>();
  readonly containers = new Map<string, Container>();
  /** Which sandbox each network namespace belongs to, or belonged to. */
  readonly byNetns = new Map<string, Sandbox>();
}
