import type * as certificates from '#api/certificates/v1';
import { isDNS1123Label, isDNS1123Subdomain, quote } from '../../api/names.ts';
import type { CertificateSigningRequest } from '../../api/objects.ts';
import { certificateSigningRequests } from '../../api/plain-resources.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { each, fields, oneOf, type Rule, required } from '../declare/rules.ts';
import { groupsOf } from '../user-groups.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidEach,
  required as missing,
  tooLong,
} from '../validation/field-error.ts';
import { withField } from './with-field.ts';

/** Upstream: ParseCSR */
const request: Rule<string> = (bytes = '', path) => {
  const text = Buffer.from(bytes, 'base64').toString('latin1');
  const isBlock = /-----BEGIN CERTIFICATE REQUEST-----\s[\s\S]*-----END CERTIFICATE REQUEST-----/.test(text);
  return isBlock ? [] : [invalid(path, bytes || null, 'PEM block type must be CERTIFICATE REQUEST')];
};

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
 * Somebody in a domain who signs.
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

/** A domain, a slash, and room for a namespace and a name. */
const NAME_BYTES_MAX = 253 + 1 + 253 + 63 + 1;

/** What is wrong with the first part that is wrong. */
function validateParts(text: string, path: string, check: (part: string) => readonly string[]): Cause[] {
  for (const part of text.split('.')) {
    const reasons = check(part).map((reason) => `validating label ${quote(part)}: ${reason}`);
    if (reasons.length > 0) return invalidEach(path, text, reasons);
  }
  return [];
}

/** By these types people say what becomes of a request. None of them is ever taken back. */
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

const status = fields<CertificateSigningRequest>({
  status: fields<certificates.CertificateSigningRequestStatus>({ conditions }),
});

/**
 * The kind CertificateSigningRequest. Who asks for a certificate is noted in it, and it never changes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/certificates/certificates/strategy.go,
 * pkg/apis/certificates/validation/validation.go
 *
 * Differs: of the request only its envelope is looked at, and of a certificate nothing. There is no `approval` to ask for, so
 * that none is ever approved. Conditions of a status get no times.
 */
export const certificateSigningRequest = declareKind<CertificateSigningRequest>({
  resource: certificateSigningRequests,
  validateName: () => [],
  selectable: { 'spec.signerName': ({ spec }) => spec.signerName },
  prepareForCreate(object, user) {
    const { username, uid, groups, extra, ...spec } = object.spec;
    if (user === undefined) return object;
    return withField(object, 'spec', { ...spec, username: user, groups: groupsOf(user) });
  },
  prepareForUpdate: (object, old) => withField(object, 'spec', old.spec),
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
    const of = (list: certificates.CertificateSigningRequestStatus, type: string) =>
      (list.conditions ?? []).filter((condition) => condition.type === type);
    const refuse = (what: string, type: string) =>
      forbidden('status.conditions', `updates may not ${what} a condition of type "${type}"`);
    const removed = [...VERDICTS, 'Failed'].filter((type) => of(status, type).length < of(old, type).length);
    const added = VERDICTS.filter((type) => of(status, type).length > of(old, type).length);
    const isReplaced = old.certificate && !semanticEqual(status.certificate, old.certificate);
    return [
      ...removed.map((type) => refuse('remove', type)),
      ...added.map((type) => refuse('add', type)),
      ...(isReplaced
        ? [forbidden('status.certificate', 'updates may not modify existing certificate content')]
        : []),
    ];
  },
});
