import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { errors, hasReason, type StatusError } from '../../api/status.ts';
import type { AdmissionAttributes, Operation } from '../../contracts/admission/index.ts';

/**
 * A part of an apiserver's admission. It changes objects, checks objects, or does both.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/interfaces.go Interface, MutationInterface, ValidationInterface
 */
export interface Plugin {
  /** The name in `--enable-admission-plugins`: `LimitRanger`. */
  readonly name: string;
  /** The operations that it handles. The chain does not call it for others. */
  readonly operations: readonly Operation[];
  /**
   * Returns the object as it shall continue; the same object if nothing changes.
   *
   * @throws StatusError when the request is refused
   */
  admit?(attributes: AdmissionAttributes, reinvocation: Reinvocation): Promise<KubeObject | undefined>;
  /** @throws StatusError when the request is refused */
  validate?(attributes: AdmissionAttributes): Promise<void>;
}

/**
 * The state of one request between the two runs of the mutating chain.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/attributes.go reinvocationContext,
 * pkg/admission/plugin/webhook/mutating/reinvocationcontext.go webhookReinvokeContext
 */
export class Reinvocation {
  /** Whether this is the second run. */
  isSecond = false;
  /** A webhook sets it after it has changed the object: then the chain runs a second time. */
  needed = false;
  /** The uids of the webhooks that were called in the first run and may be called again, until they must. */
  readonly eligible = new Set<string>();
  /** The uids of the webhooks that the second run calls. */
  readonly again = new Set<string>();
  /** The object after the last webhook of the first run. */
  lastOutput: KubeObject | undefined;
}

/** Returns the attributes with another object. */
export function withObject(
  attributes: AdmissionAttributes,
  object: KubeObject | undefined,
): AdmissionAttributes {
  const { operation, user, resource, subresource, namespace, name, oldObject, options, dryRun, deadlineMs } =
    attributes;
  return {
    operation,
    user,
    resource,
    subresource,
    namespace,
    name,
    ...(oldObject && { oldObject }),
    options,
    dryRun,
    deadlineMs,
    ...(object && { object }),
    warn: (text) => attributes.warn(text),
    annotate: (key, value) => attributes.annotate(key, value),
  };
}

/**
 * Creates the refusal of a request: `pods "web" is forbidden: <why>`.
 *
 * @param why the reason; a refusal stays as it is
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/errors.go NewForbidden
 */
export function forbidden(attributes: AdmissionAttributes, why: string | StatusError): StatusError {
  if (typeof why !== 'string') {
    return hasReason(why, 'Forbidden') ? why : forbidden(attributes, why.message);
  }
  return errors.forbidden(attributes.resource, nameOf(attributes), why);
}

/**
 * Creates the refusal of a create in a terminating namespace.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/plugin/namespace/lifecycle/admission.go Lifecycle.Admit
 */
export function namespaceTerminating(attributes: AdmissionAttributes): StatusError {
  const { namespace } = attributes;
  const error = forbidden(
    attributes,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  error.status.details = { ...error.status.details, causes: [cause] };
  return error;
}

/** Returns the name of a request's object for a message. A generated name does not exist yet. */
function nameOf({ name, object }: AdmissionAttributes): string {
  const { metadata } = (object ?? {}) as { metadata?: { name?: string; generateName?: string } };
  return name || metadata?.name || metadata?.generateName || 'Unknown';
}

/** Returns whether the request is about an object of this resource, or about this subresource of it. */
export function isAbout(
  { resource, subresource }: AdmissionAttributes,
  { group, plural }: Pick<Resource, 'group' | 'plural'>,
  of = '',
): boolean {
  return resource.group === group && resource.plural === plural && subresource === of;
}
