import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as compressionInBrowser from './browser/compression.ts';
import * as expressionsInBrowser from './browser/expressions.ts';
import * as hashInBrowser from './browser/hash.ts';
import * as listenersInBrowser from './browser/listeners.ts';
import * as publicKeyInBrowser from './browser/public-key.ts';
import * as turnInBrowser from './browser/turn.ts';
import * as compressionInNode from './node/compression.ts';
import * as expressionsInNode from './node/expressions.ts';
import * as hashInNode from './node/hash.ts';
import * as listenersInNode from './node/listeners.ts';
import * as publicKeyInNode from './node/public-key.ts';
import * as turnInNode from './node/turn.ts';
import type {
  Compression,
  Expressions,
  Hashing,
  HashName,
  Listeners,
  PublicKeys,
  SignatureOptions,
  Turns,
} from './types.ts';

type Platform = Compression & Expressions & Hashing & Listeners & PublicKeys & Turns;

const node: Platform = {
  ...compressionInNode,
  ...expressionsInNode,
  ...hashInNode,
  ...listenersInNode,
  ...publicKeyInNode,
  ...turnInNode,
};
const browser: Platform = {
  ...compressionInBrowser,
  ...expressionsInBrowser,
  ...hashInBrowser,
  ...listenersInBrowser,
  ...publicKeyInBrowser,
  ...turnInBrowser,
};

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const long = Buffer.from('pods/default/web-1 '.repeat(5_000));
const isLong = (bytes: Uint8Array): boolean => long.equals(bytes);

const EMPTY: readonly [HashName, string][] = [
  ['md5', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['sha256', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
];

describe.each([
  ['Node', node],
  ['a browser', browser],
])('%s', (_, platform) => {
  test.each(EMPTY)('computes the %s of nothing', (name, hex) => {
    expect(platform.createHash(name).digest('hex')).toBe(hex);
  });

  test('computes an HMAC (RFC 4231, case 2)', () => {
    const mac = platform.createHmac('sha256', 'Jefe').update('what do ya want for nothing?');
    const hex = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(mac.digest('base64url')).toBe(Buffer.from(hex, 'hex').toString('base64url'));
  });

  test('calls back after all microtasks, in order', async () => {
    const calls: string[] = [];
    await new Promise<void>((resolve) => {
      platform.afterMicrotasks(() => {
        calls.push('first');
        void Promise.resolve()
          .then(() => {})
          .then(() => calls.push('microtask of the first'));
      });
      platform.afterMicrotasks(() => {
        calls.push('second');
        resolve();
      });
      void Promise.resolve().then(() => calls.push('microtask'));
    });
    expect(calls).toEqual(['microtask', 'first', 'microtask of the first', 'second']);
  });

  test('allows many listeners', () => {
    expect(() => platform.allowManyListeners(new AbortController().signal)).not.toThrow();
  });

  test('compiles the expressions of Go', () => {
    const { RE2JS, RE2JSSyntaxException } = platform.re2();
    expect(RE2JS.compile('^a(?i)b$').test('aB')).toBe(true);
    expect(() => RE2JS.compile('a(?=b)')).toThrow(RE2JSSyntaxException);
  });

  test('compresses as gzip, at any level', async () => {
    for (const level of [-1, 1, 9]) {
      const short = await platform.gzip(long, level);
      expect(short.length).toBeLessThan(long.length / 50);
      expect(isLong(node.gunzipSync(short))).toBe(true);
    }
    expect(text(node.gunzipSync(await platform.gzip('größer', 1)))).toBe('größer');
    expect(isLong(node.gunzipSync(platform.gzipSync(long)))).toBe(true);
    expect(isLong(platform.gunzipSync(node.gzipSync(long)))).toBe(true);
  });

  test('rejects bytes that are not gzip, or end too early', () => {
    expect(() => platform.gunzipSync(Buffer.from('hello'))).toThrow();
    expect(() => platform.gunzipSync(node.gzipSync(long).subarray(0, -20))).toThrow();
  });

  test('inflates the blocks of one stream, with the data before each as its dictionary', () => {
    const options = { dictionary: long.subarray(0, 2_000), maxBytes: 64 };
    for (const other of [node, browser]) {
      const block = other.deflateBlock(Buffer.from('pods/default/web-1'));
      expect(text(platform.inflateBlock(block, options))).toBe('pods/default/web-1');
      expect(text(platform.inflateBlock(other.deflateBlock(Buffer.alloc(0)), options))).toBe('');
    }
  });

  test('rejects a block that is invalid, or too long', () => {
    const options = { dictionary: Buffer.from('a'), maxBytes: 64 };
    expect(() => platform.inflateBlock(Buffer.from([0xff, 0xff, 0xff]), options)).toThrow();
    expect(() => platform.inflateBlock(node.deflateBlock(long), options)).toThrow();
  });

  test.each(keys())('verifies a signature made with %s', (_, key, signature, options) => {
    const known = platform.publicKeyOf(key.export({ format: 'der', type: 'spki' }));
    expect(known?.type).toBe(key.asymmetricKeyType);
    expect(known?.verifies(MESSAGE, signature, options)).toBe(true);
    expect(known?.verifies(Buffer.from('no'), signature, options)).toBe(false);
    for (const at of [0, 4, 40, signature.length - 1]) {
      const wrong = Buffer.from(signature);
      wrong[at] = (wrong[at] ?? 0) ^ 1;
      expect(known?.verifies(MESSAGE, wrong, options)).toBe(false);
    }
    expect(known?.verifies(MESSAGE, Buffer.alloc(0), options)).toBe(false);
    expect(known?.verifies(MESSAGE, signature.subarray(1), options)).toBe(false);
  });

  test('rejects a key that is no key', () => {
    const good = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
      format: 'der',
      type: 'spki',
    });
    const offCurve = Buffer.from(good);
    offCurve[80] = (offCurve[80] ?? 0) ^ 1;
    for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), good.subarray(0, 40), offCurve]) {
      expect(platform.publicKeyOf(bytes)).toBeUndefined();
    }
  });

  test('knows keys that cannot sign', () => {
    const { publicKey } = generateKeyPairSync('x25519');
    expect(platform.publicKeyOf(publicKey.export({ format: 'der', type: 'spki' }))?.type).toBe('other');
  });
});

describe('A browser and Node', () => {
  test('compute the same hashes of pieces', () => {
    const names = fc.constantFrom<HashName>('md5', 'sha256', 'sha512');
    const pieces = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 300 })), {
      maxLength: 5,
    });
    const hashed = ({ createHash }: Hashing, name: HashName, parts: readonly (string | Uint8Array)[]) =>
      Buffer.from(parts.reduce((hash, part) => hash.update(part), createHash(name)).digest());
    fc.assert(
      fc.property(names, pieces, (name, parts) => {
        expect(hashed(browser, name, parts)).toEqual(hashed(node, name, parts));
      }),
    );
  });
});

const MESSAGE = Buffer.from('a certificate request');

type Row = [name: string, key: KeyObject, signature: Buffer, options: SignatureOptions];

/** Keys with a signature of each. Hashes are longer and shorter than the order of the curve. */
function keys(): Row[] {
  const rsa = [2_048, 2_049].map((bits) => ({
    bits,
    ...generateKeyPairSync('rsa', { modulusLength: bits }),
  }));
  const ed25519 = generateKeyPairSync('ed25519');
  const curves = ['P-224', 'P-256', 'P-384', 'P-521'];
  return [
    ...curves.flatMap((namedCurve) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
      return (['sha1', 'sha512'] as const).map((hash): Row => {
        const options = { hash, pss: false };
        return [`${namedCurve} and ${hash}`, publicKey, sign(hash, MESSAGE, privateKey), options];
      });
    }),
    ...rsa.flatMap(({ bits, publicKey, privateKey }) =>
      (['sha1', 'sha256', 'sha384', 'sha512'] as const).flatMap((hash): Row[] => {
        const pss = { key: privateKey, padding: 6, saltLength: 20 };
        return [
          [
            `RSA of ${bits} bits and ${hash}`,
            publicKey,
            sign(hash, MESSAGE, privateKey),
            { hash, pss: false },
          ],
          [`RSA-PSS of ${bits} bits and ${hash}`, publicKey, sign(hash, MESSAGE, pss), { hash, pss: true }],
        ];
      }),
    ),
    ['Ed25519', ed25519.publicKey, sign(null, MESSAGE, ed25519.privateKey), { hash: undefined, pss: false }],
  ];
}
