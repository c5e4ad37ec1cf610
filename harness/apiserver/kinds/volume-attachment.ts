import type * as storage from '#api/storage/v1';
import { isDNS1123Subdomain } from '../../api/names.ts';
import type { VolumeAttachment } from '../../api/objects.ts';
import { volumeAttachments } from '../../api/plain-resources.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, optional, type Rule } from '../declare/rules.ts';
import { forbidden, invalid, invalidEach, required, tooLong } from '../validation/field-error.ts';
import { csiDriverName } from './csi.ts';

const BYTES_MAX = 256 * 1024;

/** Upstream: validateVolumeAttachmentSource */
const source: Rule<storage.VolumeAttachmentSource> = (
  { inlineVolumeSpec, persistentVolumeName } = {},
  path,
) => {
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (!inlineVolumeSpec && persistentVolumeName === undefined) return [required(path, detail)];
  if (inlineVolumeSpec && persistentVolumeName !== undefined) return [forbidden(path, detail)];
  if (persistentVolumeName !== '') return [];
  return [required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')];
};

/** Upstream: validateVolumeError, which tells another length than the one that it checks */
const volumeError = optional(
  fields<storage.VolumeError>({
    message: (text = '', path) => (Buffer.byteLength(text) > 1024 ? [tooLong(path, BYTES_MAX)] : []),
    errorCode: (code = 0, path) =>
      code < 0 ? [invalid(path, code, 'must be between 0 and 2147483647, inclusive')] : [],
  }),
);

const status = fields<storage.VolumeAttachmentStatus>({
  attachmentMetadata: (metadata = {}, path) =>
    Buffer.byteLength(Object.entries(metadata).flat().join('')) > BYTES_MAX ? [tooLong(path, BYTES_MAX)] : [],
  attachError: volumeError,
  detachError: volumeError,
});

/**
 * The kind VolumeAttachment. Its volume and its node never change.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/storage/volumeattachment/strategy.go,
 * pkg/apis/storage/validation/validation.go ValidateVolumeAttachment
 *
 * Differs: an inline volume is not validated.
 */
export const volumeAttachment = declareKind<VolumeAttachment>({
  resource: volumeAttachments,
  allowUnconditionalUpdate: false,
  statusHasMetadata: false,
  rules: [
    fields<VolumeAttachment>({
      spec: fields<storage.VolumeAttachmentSpec>({
        attacher: csiDriverName,
        source,
        nodeName: (name = '', path) => invalidEach(path, name, isDNS1123Subdomain(name)),
      }),
      status,
    }),
    ({ spec: { source } }) => {
      const { persistentVolumeName: name } = source ?? {};
      if (name === undefined) return [];
      return invalidEach('spec.source.persistentVolumeName', name, isDNS1123Subdomain(name));
    },
  ],
  immutable: ['spec'],
  statusRules: [fields<VolumeAttachment>({ status })],
});
