import type { FileNode } from './disk.ts';

/** A lock that an owner holds or waits for. */
interface Claim {
  readonly owner: object;
  /** Called when the owner gets the lock. */
  readonly grant: () => void;
}

/**
 * The advisory locks on the files of a disk, like `flock`: exclusive, on a file and not on its name, and released when
 * the owner ends. Waiting owners get the lock in order.
 */
export class FileLocks {
  /** The first claim of each list holds the lock. */
  #claims = new Map<FileNode, Claim[]>();

  /** Resolves when `owner` has the lock. @returns a function that releases it, and may be called twice */
  lock(file: FileNode, owner: object): Promise<() => Promise<void>> {
    return new Promise((resolve) => {
      const claim: Claim = { owner, grant: () => resolve(async () => this.#end(file, claim)) };
      const claims = this.#claims.get(file) ?? [];
      this.#claims.set(file, claims);
      claims.push(claim);
      if (claims[0] === claim) claim.grant();
    });
  }

  /** Releases the locks of `owner`, and cancels its pending requests. */
  release(owner: object): void {
    for (const [file, claims] of [...this.#claims]) {
      for (const claim of [...claims]) if (claim.owner === owner) this.#end(file, claim);
    }
  }

  /** Releases all locks, and lets pending requests wait forever. */
  clear(): void {
    this.#claims = new Map();
  }

  #end(file: FileNode, claim: Claim): void {
    const claims = this.#claims.get(file) ?? [];
    const at = claims.indexOf(claim);
    if (at < 0) return;
    claims.splice(at, 1);
    if (claims.length === 0) this.#claims.delete(file);
    else if (at === 0) claims[0]?.grant();
  }
}
