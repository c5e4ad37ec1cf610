import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Storage } from '../apiserver/storage/storage.ts';
import { readSavedState, savedState } from '../cluster/saved-state.ts';
import { ClusterPki } from './cluster-pki.ts';
import { pkiSecret, splitPki } from './saved-pki.ts';

const nowMs = Date.UTC(2026, 10, 28);
const YEAR_MS = 365 * 86_400_000;
const pki = ClusterPki.create(nowMs);
const stateWith = (...secrets: Parameters<typeof savedState>[1] & object) =>
  readSavedState(Buffer.from([...savedState(new Storage(), secrets)].join('')));

describe('The keys of a cluster', () => {
  test('sign the server and its administrator, for a year', () => {
    const ca = new X509Certificate(pki.authority.pem);
    const server = new X509Certificate(pki.serving(['localhost', '::1'], nowMs).cert);
    const admin = new X509Certificate(pki.admin(nowMs).cert);
    expect([server, admin].map((certificate) => certificate.verify(ca.publicKey))).toEqual([true, true]);
    expect([server.checkHost('localhost'), server.checkIP('::1')]).toEqual(['localhost', '::1']);
    expect(admin.subject).toBe('O=kubeadm:cluster-admins\nCN=kubernetes-admin');
    expect(Date.parse(admin.validTo)).toBe(nowMs + YEAR_MS);
    expect(Date.parse(ca.validTo)).toBe(nowMs + 10 * YEAR_MS);
  });

  test('survive in a saved state', () => {
    const { objects, pki: saved } = splitPki(stateWith(pkiSecret(pki.saved)));
    expect(objects).toEqual([]);
    if (!saved) throw new Error('the state has no keys');
    const restored = ClusterPki.of(saved, nowMs);
    expect([restored.authority.pem, restored.tokenKey]).toEqual([pki.authority.pem, pki.tokenKey]);
  });

  test('are new ones once the authority has expired', () => {
    const restored = ClusterPki.of(pki.saved, nowMs + 11 * YEAR_MS);
    expect(restored.authority.pem).not.toBe(pki.authority.pem);
    expect(restored.tokenKey).not.toBe(pki.tokenKey);
  });

  test('can be missing in a saved state', () => {
    expect(splitPki(stateWith())).toEqual({ objects: [] });
  });
});
