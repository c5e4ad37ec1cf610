import type { Container, Sandbox } from './sandbox.ts';

/** The state of a runtime on disk. It survives a restart of the runtime and of the machine. */
export class RuntimeState {
  /** Oldest first. */
  readonly sandboxes = new Map<string, Sandbox>();
  readonly containers = new Map<string, Container>();
  /** The current or former sandbox of each network namespace. */
  readonly byNetns = new Map<string, Sandbox>();
}
