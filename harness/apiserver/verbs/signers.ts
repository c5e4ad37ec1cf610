import type { CertificateSigningRequest, KubeObject } from '../../api/objects.ts';
import { certificateSigningRequests } from '../../api/plain-resources.ts';
import { groupResource, type Resource } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import { errors } from '../../api/status.ts';
import type { Part } from '../kind.ts';
import { userNamed } from '../users.ts';
import type { Registry } from './registry.ts';

/**
 * Checks that the user may approve requests of this signer, or sign in its name. Other objects pass.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/certificates/approval/admission.go Plugin.Validate,
 * plugin/pkg/admission/certificates/signing/admission.go Plugin.Validate
 *
 * @throws StatusError Forbidden
 */
export function mustMaySign(
  registry: Registry,
  resource: Resource,
  part: Part,
  { object, old }: { readonly object: KubeObject; readonly old: KubeObject },
): void {
  if (!registry.access || groupResource(resource) !== REQUESTS) return;
  const verb = verbFor(part, object as CertificateSigningRequest, old as CertificateSigningRequest);
  if (verb === undefined) return;
  const { signerName } = (old as CertificateSigningRequest).spec;
  const [domain] = signerName.split('/', 1);
  if ([signerName, `${domain}/*`].some((name) => isAllowed(registry, verb, name))) return;
  const why = `user not permitted to ${verb} requests with signerName "${signerName}"`;
  throw errors.forbidden(resource, old.metadata.name, why);
}

const REQUESTS = groupResource(certificateSigningRequests as Resource);

function verbFor(
  part: Part,
  { status }: CertificateSigningRequest,
  { status: old }: CertificateSigningRequest,
): 'approve' | 'sign' | undefined {
  if (part === 'approval') return 'approve';
  const isSame =
    (status.certificate ?? '') === (old.certificate ?? '') &&
    semanticEqual(status.conditions ?? [], old.conditions ?? []);
  return part === 'status' && !isSame ? 'sign' : undefined;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/certauthorization/certauthorization.go IsAuthorizedForSignerName */
function isAllowed({ access, user = userNamed('') }: Registry, verb: string, name: string): boolean {
  const decision = access?.authorize({
    ...{ user, verb, isResourceRequest: true, path: '', apiGroup: 'certificates.k8s.io', apiVersion: '*' },
    ...{ namespace: '', resource: 'signers', subresource: '', name },
  });
  return decision?.verdict === 'allow';
}
