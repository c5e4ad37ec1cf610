import type {
  APIServiceCondition,
  APIServiceSpec,
  APIServiceStatus,
  ServiceReference,
} from '#api/apiregistration/v1';
import { deepEqual } from '../../api/freeze.ts';
import {
  isDNS1035Label,
  isDNS1123Subdomain,
  isValidPathSegmentName,
  isValidPortNum,
  quote,
} from '../../api/names.ts';
import type { APIService } from '../../api/objects.ts';
import { apiServices } from '../../api/plain-resources.ts';
import type { Cause } from '../../api/status.ts';
import { withChanged, withDefaults } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { each, fields, named, type Rule, required } from '../declare/rules.ts';
import { invalid, invalidEach, required as missing, notSupported } from '../validation/field-error.ts';

function nameCauses({ metadata: { name }, spec }: APIService): readonly Cause[] {
  const expected = `${spec.version ?? ''}.${spec.group ?? ''}`;
  if (!name || name === expected || isValidPathSegmentName(name).length > 0) return [];
  return [invalid('metadata.name', name, `must be \`spec.version+"."+spec.group\`: ${quote(expected)}`)];
}

const priority =
  (max: number): Rule<number> =>
  (value = 0, path) =>
    value > 0 && value <= max ? [] : [invalid(path, value, `must be positive and less than ${max}`)];

const service = fields<ServiceReference>({
  namespace: required(),
  name: required(),
  port(port = 0, path) {
    const reasons = isValidPortNum(port);
    return reasons.length > 0 ? [invalid(path, port, `port is not valid: ${reasons.join(', ')}`)] : [];
  },
});

/** Upstream: kubernetes/kube-aggregator@v0.36.3 pkg/apis/apiregistration/validation/validation.go ValidateAPIService */
function validateSpec({ spec }: APIService): readonly Cause[] {
  const { group = '', version = '', insecureSkipTLSVerify = false } = spec;
  const [at, atCA] = ['spec.insecureSkipTLSVerify', 'spec.caBundle'];
  const caBytes = Buffer.from(spec.caBundle ?? '', 'base64').length;
  const causes: Cause[] = [];
  if (!group && version !== 'v1') {
    causes.push(missing('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  }
  causes.push(...specFields(spec, 'spec'));
  if (!spec.service) {
    if (caBytes > 0) {
      causes.push(invalid(atCA, `${caBytes} bytes`, 'local APIServices may not have a caBundle'));
    }
    const why = 'local APIServices may not have insecureSkipTLSVerify';
    return insecureSkipTLSVerify ? [...causes, invalid(at, true, why)] : causes;
  }
  causes.push(...service(spec.service, 'spec.service'));
  return insecureSkipTLSVerify && caBytes > 0
    ? [...causes, invalid(at, true, 'may not be true if caBundle is present')]
    : causes;
}

const specFields = fields<APIServiceSpec>({
  group: named(isDNS1123Subdomain),
  version: (version = '', path) => invalidEach(path, version, isDNS1035Label(version)),
  groupPriorityMinimum: priority(20_000),
  versionPriority: priority(1000),
});

const conditionStatus: Rule<string> = (status = '', path) =>
  STATUSES.includes(status) ? [] : [notSupported(path, status, STATUSES)];

const STATUSES = ['True', 'False', 'Unknown'];

/** Returns the status of a new object: the apiserver itself is always available. */
function newStatus({ spec, status, metadata }: APIService): APIServiceStatus {
  const conditions = [
    {
      type: 'Available',
      status: 'True',
      lastTransitionTime: metadata.creationTimestamp,
      reason: 'Local',
      message: 'Local APIServices are always available',
    },
  ];
  const made = spec.service ? {} : { conditions };
  return deepEqual(made, status) ? status : made;
}

/**
 * The kind APIService.
 *
 * Upstream: kubernetes/kube-aggregator@v0.36.3 pkg/registry/apiservice/strategy.go, pkg/apis/apiregistration/v1/defaults.go,
 * pkg/apis/apiregistration/validation/validation.go
 *
 * Differs: the apiserver answers 404 for the groups of a Service, and never passes a request on to it. It also serves a
 * group without an APIService.
 */
export const apiService = declareKind<APIService>({
  resource: apiServices,
  validateName: isValidPathSegmentName,
  allowUnconditionalUpdate: false,
  hasPlainFinalizers: true,
  revalidates: 'after metadata',
  statusHasMetadata: false,
  resetFields: { status: ['spec', 'metadata'] },
  setDefaults: (object) =>
    withChanged(object, 'spec', (spec) =>
      withChanged(spec, 'service', (reference) => withDefaults(reference, { port: 443 })),
    ),
  newStatus,
  rules: [nameCauses, validateSpec],
  statusRules: [
    fields<APIService>({
      status: fields<APIServiceStatus>({
        conditions: each(fields<APIServiceCondition>({ status: conditionStatus })),
      }),
    }),
  ],
});
