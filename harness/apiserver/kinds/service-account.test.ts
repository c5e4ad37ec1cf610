import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ServiceAccount } from '../../api/objects.ts';
import { kindViolations, parts, said } from './kind-laws.ts';
import { serviceAccount } from './service-account.ts';

const account = (content: object, annotations?: Record<string, string>): ServiceAccount =>
  ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
      ...(annotations && { annotations }),
    },
    ...content,
  }) as ServiceAccount;

describe('ServiceAccount', () => {
  test('keeps only the names of its secrets', () => {
    const secrets = [{ name: 'a', kind: 'Secret', uid: '7' }, { name: 'b' }];
    const created = serviceAccount.prepareForCreate(account({ secrets }));
    expect(created.secrets).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(serviceAccount.prepareForUpdate(created, created)).toBe(created);
  });

  test('has a name that is a DNS subdomain', () => {
    const bad = account({});
    bad.metadata.name = 'A_b';
    expect(said(serviceAccount.validate(bad))[0]).toMatch(/^metadata.name: Invalid value: "A_b"/);
    expect(said(serviceAccount.validate(account({})))).toEqual([]);
  });

  test('warns about a deprecated annotation', () => {
    expect(serviceAccount.warningsOnCreate?.(account({}))).toEqual([]);
    const annotation = 'kubernetes.io/enforce-mountable-secrets';
    expect(serviceAccount.warningsOnCreate?.(account({}, { [annotation]: 'true' }))).toEqual([
      `metadata.annotations[${annotation}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ]);
  });

  test('satisfies the laws, whichever part of it is sent', () => {
    const whole = account({
      secrets: [{ name: 'a', kind: 'Secret' }],
      imagePullSecrets: [{ name: 'b' }],
      automountServiceAccountToken: false,
    });
    fc.assert(
      fc.property(parts(whole), (part) => {
        expect(kindViolations(serviceAccount, part)).toEqual([]);
      }),
    );
  });
});
