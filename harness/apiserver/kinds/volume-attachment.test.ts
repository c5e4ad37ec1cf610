import { describe, expect, test } from 'vitest';
import { refused, refusedStatus, refusedUpdate, sampleOf } from './declared.fixture.ts';
import { volumeAttachment } from './volume-attachment.ts';

describe('VolumeAttachment', () => {
  const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  test.each([
    [{ 'spec.attacher': '' }, 'spec.attacher: Required value'],
    [{ 'spec.source': {} }, `spec.source: Required value: ${one}`],
    [{ 'spec.source.inlineVolumeSpec': {} }, `spec.source: Forbidden: ${one}`],
    [
      { 'spec.source.persistentVolumeName': '..' },
      expect.stringContaining('spec.source.persistentVolumeName: Invalid value: "..": '),
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(volumeAttachment, changes)).toEqual([why]);
  });

  test('never changes its spec', () => {
    const [why] = refusedUpdate(volumeAttachment, { 'spec.nodeName': 'node-2' });
    expect(why).toMatch(/^spec: Invalid value: \{.*"nodeName":"node-2".*\}: field is immutable$/);
  });

  test('ignores labels in a status write', () => {
    const old = sampleOf(volumeAttachment);
    const now = sampleOf(volumeAttachment, { 'metadata.labels': { a: 'b' }, 'status.attached': false });
    expect(volumeAttachment.prepareForStatusUpdate?.(now, old)).toEqual({ ...old, status: now.status });
  });

  test('limits the length of its errors', () => {
    expect(refusedStatus(volumeAttachment, { 'status.attachError.message': 'x'.repeat(1025) })).toEqual([
      'status.attachError.message: Too long: may not be more than 262144 bytes',
    ]);
    expect(refusedStatus(volumeAttachment, { 'status.detachError.errorCode': -1 })).toEqual([
      'status.detachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ]);
  });
});
