/** A hash that is being computed. */
export interface Hash {
  update(data: string | Uint8Array): Hash;
  digest(): Uint8Array;
  digest(encoding: 'hex' | 'base64url'): string;
}

/** The hashes that Kubernetes uses for names, tags and checksums. */
export type HashName = 'sha256' | 'sha512' | 'md5';

/** Functions of the entry point `#platform/hash`. */
export interface Hashing {
  createHash(name: HashName): Hash;
  createHmac(name: 'sha256', key: string): Hash;
}

/** Options for the raw DEFLATE data of one block that a stream has flushed. */
export interface InflateOptions {
  /** The data before the block, which the block may refer to. */
  readonly dictionary: Uint8Array;
  /** The largest result, in bytes. */
  readonly maxBytes: number;
}

/** Functions of the entry point `#platform/compression`. */
export interface Compression {
  /** Compresses as gzip, in another thread where the platform can. `level`: 1 to 9; -1: the platform's default. */
  gzip(data: string | Uint8Array, level: number): Promise<Uint8Array<ArrayBuffer>>;
  gzipSync(data: Uint8Array): Uint8Array;
  /** @throws Error when the data is not gzip, or ends too early */
  gunzipSync(data: Uint8Array): Uint8Array;
  /** Compresses as raw DEFLATE, and flushes to a byte boundary without ending the stream. */
  deflateBlock(data: Uint8Array): Uint8Array;
  /** @throws Error when the data is invalid, or the result is too long */
  inflateBlock(data: Uint8Array, options: InflateOptions): Uint8Array;
}

/** The signature algorithm of a certificate request, except for its kind of key. */
export interface SignatureOptions {
  /** The hash that is signed; undefined if the algorithm signs the message itself. */
  readonly hash: 'sha1' | 'sha256' | 'sha384' | 'sha512' | undefined;
  /** Whether an RSA signature has the padding PSS, with a salt of any length. */
  readonly pss: boolean;
}

/** A public key. */
export interface PublicKey {
  readonly type: 'rsa' | 'ec' | 'ed25519' | 'other';
  /** Reports whether the key verifies the signature. An invalid signature is false, not an error. */
  verifies(signed: Uint8Array, signature: Uint8Array, options: SignatureOptions): boolean;
}

/** Functions of the entry point `#platform/public-key`. */
export interface PublicKeys {
  /** Parses a SubjectPublicKeyInfo (RFC 5280) in DER; undefined if it is invalid, or if its type is unknown. */
  publicKeyOf(der: Uint8Array): PublicKey | undefined;
}

/** Functions of the entry point `#platform/turn`. */
export interface Turns {
  /** Calls back in a later turn of the event loop, when no microtask is left. Callbacks keep their order. */
  afterMicrotasks(callback: () => void): void;
}

/** Functions of the entry point `#platform/listeners`. */
export interface Listeners {
  /** Turns off the platform's warning about many listeners on this signal. */
  allowManyListeners(signal: AbortSignal): void;
}

/** Functions of the entry point `#platform/expressions`. */
export interface Expressions {
  /** Returns the engine for regular expressions in the syntax of Go. */
  re2(): typeof import('re2js');
}
