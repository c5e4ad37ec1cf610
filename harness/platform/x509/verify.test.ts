import { describe, expect, test } from 'vitest';
import { encode, encodeObjectIdentifier, encodeSequence, TAG } from '../der.ts';
import { CertificateAuthority } from './authority.ts';
import { parseCertificate } from './certificate.ts';
import { authority, leaf, newAuthority, nowMs } from './certificates.fixture.ts';
import { PURPOSE } from './extensions.ts';
import { COMMON_NAME } from './name.ts';
import { PrivateKey } from './private-key.ts';
import { verify } from './verify.ts';

interface Asked {
  readonly roots?: readonly CertificateAuthority[];
  readonly intermediates?: readonly Buffer[];
  readonly atMs?: number;
}

const problem = (der: Buffer, { roots = [authority], intermediates = [], atMs = nowMs }: Asked = {}) =>
  verify(parseCertificate(der), {
    roots: roots.map(({ certificate }) => certificate),
    intermediates: intermediates.map((each) => parseCertificate(each)),
    nowMs: atMs,
    purpose: PURPOSE.clientAuth,
  });

describe('A certificate', () => {
  test('of the authority is valid', () => {
    expect(problem(leaf())).toBeUndefined();
  });

  test('of another authority is not', () => {
    expect(problem(leaf({}, newAuthority('other')))).toBe('x509: certificate signed by unknown authority');
  });

  test('of an authority with the same name, but another key, is not', () => {
    expect(problem(leaf({}, newAuthority('kubernetes')))).toBe(
      'x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "kubernetes")',
    );
  });

  test('is valid from its first to its last second', () => {
    const [first, last] = [nowMs - 60_000, nowMs + 60_000];
    expect([first, last].map((atMs) => problem(leaf(), { atMs }))).toEqual([undefined, undefined]);
    expect(problem(leaf(), { atMs: last + 1_000 })).toBe(
      'x509: certificate has expired or is not yet valid: current time 2026-11-28T12:01:01Z is after 2026-11-28T12:01:00Z',
    );
    expect(problem(leaf(), { atMs: first - 1_000 })).toBe(
      'x509: certificate has expired or is not yet valid: current time 2026-11-28T11:58:59Z is before 2026-11-28T11:59:00Z',
    );
  });

  test('of an authority that has expired is not valid', () => {
    const old = newAuthority('kubernetes', { notAfterMs: nowMs - 1_000 });
    expect(problem(leaf({}, old), { roots: [old] })).toBe(
      'x509: certificate has expired or is not yet valid: current time 2026-11-28T12:00:00Z is after 2026-11-28T11:59:59Z',
    );
  });

  test('needs the purpose of a client', () => {
    const why = 'x509: certificate specifies an incompatible key usage';
    expect(problem(leaf({ purposes: [PURPOSE.serverAuth] }))).toBe(why);
    expect(problem(leaf({ purposes: [PURPOSE.any] }))).toBeUndefined();
    expect(problem(leaf({ purposes: [] }))).toBeUndefined();
  });

  test('signs no other certificate unless it is an authority', () => {
    const key = PrivateKey.random();
    const name = [{ type: COMMON_NAME, value: 'jane' }];
    const jane = leaf({ publicKey: key.publicKey, subject: name });
    const own = CertificateAuthority.create(
      { subject: name, serial: 2n, notBeforeMs: nowMs, notAfterMs: nowMs },
      key,
    );
    expect(problem(leaf({}, own), { intermediates: [jane] })).toBe(
      'x509: certificate signed by unknown authority (possibly because of "x509: invalid signature: parent certificate cannot sign this kind of certificate" while trying to verify candidate authority certificate "jane")',
    );
    expect(problem(leaf({}, own), { intermediates: [own.certificate.der] })).toBe(
      'x509: certificate signed by unknown authority',
    );
  });

  test('with changed content is not valid', () => {
    const changed = Buffer.from(leaf().toString('latin1').replace('jane', 'root'), 'latin1');
    expect(problem(changed)).toMatch(/ECDSA verification failure/);
  });

  test('with an unknown critical extension is not valid', () => {
    const { extensions } = parseCertificate(leaf());
    expect(extensions.hasUnknownCritical).toBeUndefined();
    const parsed = parseCertificate(leaf());
    const options = { roots: [], intermediates: [], nowMs, purpose: PURPOSE.clientAuth };
    const strange = { ...parsed, extensions: { ...extensions, hasUnknownCritical: true } };
    expect(verify(strange, options)).toBe('x509: unhandled critical extension');
  });
});

describe('parseCertificate', () => {
  const whole = leaf();
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a part', whole.subarray(0, 100)],
    ['two certificates', Buffer.concat([whole, whole])],
    ['another value', encode(TAG.octetString, whole)],
    ['another sequence', encodeSequence(encodeObjectIdentifier('1.2.3'))],
  ])('rejects %s', (_, bytes) => {
    expect(() => parseCertificate(bytes)).toThrow(RangeError);
  });

  test('rejects a certificate with any byte changed, or reads it without another error', () => {
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      try {
        parseCertificate(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });
});
