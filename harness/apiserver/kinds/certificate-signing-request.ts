import type * as certificates from '#api/certificates/v1';
import { isDNS1123Label, isDNS1123Subdomain, quote } from '../../api/names.ts';
import type { CertificateSigningRequest } from '../../api/objects.ts';
import { certificateSigningRequests } from '../../api/plain-resources.ts';
import { type Cause, errors } from '../../api/status.ts';
import { areCertificates } from '../../platform/x509/certificate.ts';
import {
  type CertificateRequest,
  checkRequest,
  parseCertificateRequest,
} from '../../platform/x509/certificate-request.ts';
import { ORGANIZATION, valuesOfType } from '../../platform/x509/name.ts';
import { pemBlocks } from '../../platform/x509/pem.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { each, fields, oneOf, type Rule, required } from '../declare/rules.ts';
import { userInfoOf } from '../users.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidEach,
  required as missing,
  tooLong,
} from '../validation/field-error.ts';
import { validateObjectMetaUpdate } from '../validation/object-meta.ts';
import { withField } from './with-field.ts';

/** Upstream: validateCSR */
const request: Rule<string> = (bytes = '', path) => {
  try {
    checkRequest(requestIn(bytes));
    return [];
  } catch (error) {
    if (error instanceof RangeError) return [invalid(path, bytes || null, error.message)];
    throw error;
  }
};

const requestIn = (bytes: string | null): CertificateRequest => parseCertificateRequest(decoded(bytes));

/** Decodes the text of a PEM file from a bytes field. A required field is null if the client did not send it. */
const decoded = (bytes: string | null): string => Buffer.from(bytes ?? '', 'base64').toString('latin1');

const USAGES = [
  ...[
    'any',
    'cert sign',
    'client auth',
    'code signing',
    'content commitment',
    'crl sign',
    'data encipherment',
  ],
  ...['decipher only', 'digital signature', 'email protection', 'encipher only', 'ipsec end system'],
  ...['ipsec tunnel', 'ipsec user', 'key agreement', 'key encipherment', 'microsoft sgc', 'netscape sgc'],
  ...['ocsp signing', 's/mime', 'server auth', 'signing', 'timestamping'],
];

const usages: Rule<readonly string[]> = (list = [], path) => [
  ...each(oneOf(...USAGES))(list, path),
  ...list.flatMap((usage, i) => (list.indexOf(usage) < i ? [duplicate(`${path}[${i}]`, usage)] : [])),
];

/**
 * Rule for the name of a signer: a domain, a slash, and a path.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateSignerName
 */
const signerName: Rule<string> = (name = '', path) => {
  if (!name) return [missing(path)];
  if (name === 'kubernetes.io/legacy-unknown') {
    return [invalid(path, name, 'the legacy signerName is not allowed via this API version')];
  }
  const [domain = '', signer = '', ...rest] = name.split('/');
  if (rest.length > 0 || !name.includes('/')) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalid(path, name, detail)];
  }
  const causes = Buffer.byteLength(domain) > 253 ? [tooLong(path, 253)] : [];
  causes.push(...validateParts(domain, path, isDNS1123Label));
  if (!domain.includes('.')) {
    causes.push(invalid(path, domain, 'should be a domain with at least two segments separated by dots'));
  }
  causes.push(...validateParts(signer, path, isDNS1123Subdomain));
  return Buffer.byteLength(name) > NAME_BYTES_MAX ? [...causes, tooLong(path, NAME_BYTES_MAX)] : causes;
};

/** The length of a domain, a slash, a namespace, a dot and a name. */
const NAME_BYTES_MAX = 253 + 1 + 253 + 63 + 1;

/** Returns the causes of the first part that is invalid. */
function validateParts(text: string, path: string, check: (part: string) => readonly string[]): Cause[] {
  for (const part of text.split('.')) {
    const reasons = check(part).map((reason) => `validating label ${quote(part)}: ${reason}`);
    if (reasons.length > 0) return invalidEach(path, text, reasons);
  }
  return [];
}

/** Condition types that record a decision about a request. A decision is never withdrawn. */
const VERDICTS = ['Approved', 'Denied'];

/** Upstream: validateConditions */
const conditions: Rule<readonly certificates.CertificateSigningRequestCondition[]> = (list = [], path) => {
  const types = list.map(({ type }) => type);
  return list.flatMap(({ type = '', status = '' }, i) => {
    const isVerdict = [...VERDICTS, 'Failed'].includes(type);
    const statuses = isVerdict ? ['True'] : ['False', 'True', 'Unknown'];
    const causes: Cause[] = type ? [] : [missing(`${path}[${i}].type`)];
    causes.push(...required(oneOf(...statuses))(status, `${path}[${i}].status`));
    const other = VERDICTS.find((verdict) => verdict !== type);
    if (
      VERDICTS.includes(type) &&
      types.indexOf(other as string) >= 0 &&
      types.indexOf(other as string) < i
    ) {
      causes.push(invalid(path, type, 'Approved and Denied conditions are mutually exclusive'));
    }
    return types.indexOf(type) < i ? [...causes, duplicate(`${path}[${i}].type`, type)] : causes;
  });
};

/** Upstream: validateCertificate */
const certificate: Rule<string> = (bytes = '', path) => {
  if (!bytes) return [];
  const refuse = (why: string) => [invalid(path, '<certificate data>', why)];
  const blocks = pemBlocks(decoded(bytes));
  for (const { type, hasHeaders, bytes: der } of blocks) {
    if (type !== 'CERTIFICATE') {
      return refuse(`only CERTIFICATE PEM blocks are allowed, found ${quote(type)}`);
    }
    if (hasHeaders) return refuse('no PEM block headers are permitted');
    if (der.length === 0) return refuse('found CERTIFICATE PEM block containing 0 certificates');
    if (!areCertificates(der)) return refuse('x509: malformed certificate');
  }
  return blocks.length > 0 ? [] : refuse('must contain at least one CERTIFICATE PEM block');
};

const status = fields<CertificateSigningRequest>({
  status: fields<certificates.CertificateSigningRequestStatus>({ conditions }),
});

type Status = CertificateSigningRequest['status'];
type Condition = certificates.CertificateSigningRequestCondition;

const ofType = ({ conditions = [] }: Status, type: string): readonly Condition[] =>
  conditions.filter((condition) => condition.type === type);

const refuseCondition = (what: string, type: string): Cause =>
  forbidden('status.conditions', `updates may not ${what} a condition of type "${type}"`);

/** Upstream: validateCertificateSigningRequestUpdate */
function validateKept(status: Status, old: Status): Cause[] {
  const removed = [...VERDICTS, 'Failed'].filter(
    (type) => ofType(status, type).length < ofType(old, type).length,
  );
  return removed.map((type) => refuseCondition('remove', type));
}

/**
 * Restores the old decisions in a status write. It keeps an added or a missing decision as sent, and validation
 * rejects it.
 *
 * Upstream: preserveConditionInstances
 */
function withOldVerdicts(status: Status, old: Status): Status {
  const { conditions = [] } = status;
  const kept = conditions.map((condition) => {
    const { type } = condition;
    const [before, ...more] = VERDICTS.includes(type) ? ofType(old, type) : [];
    return before && more.length === 0 && ofType(status, type).length === 1 ? before : condition;
  });
  return kept.every((condition, i) => condition === conditions[i]) ? status : { ...status, conditions: kept };
}

/** Upstream: populateConditionTimestamps */
function withTimes(condition: Condition, old: Status, now: string): Condition {
  const { lastUpdateTime, lastTransitionTime } = condition;
  if (lastUpdateTime && lastTransitionTime) return condition;
  const same = ofType(old, condition.type).find(
    (before) => before.status === condition.status && before.lastTransitionTime,
  );
  return {
    ...condition,
    lastUpdateTime: lastUpdateTime || now,
    lastTransitionTime: lastTransitionTime || same?.lastTransitionTime || now,
  };
}

/**
 * The kind CertificateSigningRequest. It records the user who asks for a certificate, and that never changes. The
 * `approval` subresource approves or denies it once; the signer writes the status.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/certificates/certificates/strategy.go,
 * pkg/apis/certificates/validation/validation.go
 *
 * Differs: a certificate is only checked for being decodable.
 */
export const certificateSigningRequest = declareKind<CertificateSigningRequest>({
  resource: certificateSigningRequests,
  validateName: () => [],
  selectable: { 'spec.signerName': ({ spec }) => spec.signerName },
  admitCreate(object) {
    const { signerName, request } = object.spec;
    if (signerName === CLIENT_SIGNER && organizationsOf(request).includes('system:masters')) {
      const why = `use of ${CLIENT_SIGNER} signer with system:masters group is not allowed`;
      throw errors.forbidden(certificateSigningRequests, object.metadata.name, why);
    }
    return object;
  },
  prepareForCreate(object, user) {
    const { username, uid, groups, extra, ...spec } = object.spec;
    const isClear = !(username || uid || groups || extra);
    if (user === undefined) return isClear ? object : withField(object, 'spec', spec);
    return withField(object, 'spec', { ...spec, ...userInfoOf(user) });
  },
  prepareForUpdate: (object, old) => withField(object, 'spec', old.spec),
  prepareForStatusUpdate: (object, old) =>
    withField(object, 'status', withOldVerdicts(object.status, old.status)),
  setTimes(object, old, now) {
    const { conditions = [] } = object.status;
    const timed = conditions.map((condition) => withTimes(condition, old.status, now));
    const isSame = timed.every((condition, i) => condition === conditions[i]);
    return isSame ? object : withField(object, 'status', { ...object.status, conditions: timed });
  },
  resetFields: {
    '': ['spec', 'status'],
    status: ['spec', 'status.conditions'],
    approval: ['spec', 'status.certificate'],
  },
  rules: [
    fields<CertificateSigningRequest>({
      spec: fields<certificates.CertificateSigningRequestSpec>({
        request,
        usages: required(usages),
        signerName,
        expirationSeconds: (seconds = 600, path) =>
          seconds < 600
            ? [invalid(path, seconds, 'may not specify a duration less than 600 seconds (10 minutes)')]
            : [],
      }),
    }),
    status,
  ],
  statusRules: [status],
  statusUpdateRules({ status }, { status: old }) {
    const added = VERDICTS.filter((type) => ofType(status, type).length > ofType(old, type).length);
    const isSame = (status.certificate ?? '') === (old.certificate ?? '');
    return [
      ...(isSame ? [] : certificate(status.certificate, 'status.certificate')),
      ...validateKept(status, old),
      ...added.map((type) => refuseCondition('add', type)),
      ...(old.certificate && !isSame
        ? [forbidden('status.certificate', 'updates may not modify existing certificate content')]
        : []),
    ];
  },
  parts: {
    approval: {
      prepareForUpdate(object, old) {
        const { conditions, ...rest } = old.status;
        const { conditions: next } = object.status;
        const status = next ? { ...rest, conditions: next } : rest;
        return { ...object, spec: old.spec, status };
      },
      validateUpdate: (object, old) => [
        ...validateObjectMetaUpdate(object.metadata, old.metadata),
        ...status(object, ''),
        ...validateKept(object.status, old.status),
      ],
    },
  },
});

/**
 * The signer of client certificates for the API; it never signs for administrators.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/certificates/subjectrestriction/admission.go Plugin.Validate
 */
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';

/** Returns the organizations of a request; none if it cannot be decoded, which validation reports. */
function organizationsOf(bytes: string | null): readonly string[] {
  try {
    return valuesOfType(requestIn(bytes).subject, ORGANIZATION);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}
