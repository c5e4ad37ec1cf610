import { hmac } from '@noble/hashes/hmac.js';
import { md5 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import type { Hash, Hashing } from '../types.ts';

const HASHES = { sha256, sha512, md5 } as const;

export const createHash: Hashing['createHash'] = (name) => new Digest(HASHES[name].create());
export const createHmac: Hashing['createHmac'] = (name, key) =>
  new Digest(hmac.create(HASHES[name], bytesOf(key)));

/** A hash of the library. */
interface Running {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

class Digest implements Hash {
  readonly #running: Running;

  constructor(running: Running) {
    this.#running = running;
  }

  update(data: string | Uint8Array): Hash {
    this.#running.update(bytesOf(data));
    return this;
  }

  digest(): Uint8Array;
  digest(encoding: 'hex' | 'base64url'): string;
  digest(encoding?: 'hex' | 'base64url'): Uint8Array | string {
    const bytes = this.#running.digest();
    return encoding ? Buffer.from(bytes).toString(encoding) : bytes;
  }
}

const encoder = new TextEncoder();

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? encoder.encode(data) : data;
}
