import { expect, test } from 'vitest';
import { cells, daysAgo, row } from './cells.fixture.ts';
import { certificateSigningRequestColumns } from './certificate-signing-request.ts';

const spec = { request: '', signerName: 'example.com/s', usages: [], username: 'somebody' };

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintCertificateSigningRequest
test('A CertificateSigningRequest shows the requested properties', () => {
  const metadata = { name: 'a', creationTimestamp: daysAgo(3) };
  const request = { metadata, spec: { ...spec, expirationSeconds: 7 * 24 * 3600 + 3600 } };
  expect(row(certificateSigningRequestColumns, request)).toEqual([
    ...['a', '3d', 'example.com/s', 'somebody', '7d1h', 'Pending'],
  ]);
  expect(
    row(certificateSigningRequestColumns, { metadata, spec: { ...spec, signerName: '' } }).slice(2, 5),
  ).toEqual([...['<none>', 'somebody', '<none>']]);
});

test.each<[readonly string[], string, string]>([
  [[], '', 'Pending'],
  [['Approved'], '', 'Approved'],
  [['Approved'], 'Y2VydA==', 'Approved,Issued'],
  [['Approved', 'Denied'], '', 'Denied'],
  [['Failed', 'Approved'], '', 'Approved,Failed'],
])('With the conditions %j and the certificate "%s" its condition is %s', (types, certificate, told) => {
  const conditions = types.map((type) => ({ type, status: 'True' }));
  const request = { spec, status: { conditions, certificate } };
  expect(cells(certificateSigningRequestColumns, request).Condition).toBe(told);
});
