import type * as networking from '#api/networking/v1';
import { isCanonicalIP } from '../../api/ip.ts';
import { isDNS1123Subdomain, isValidPathSegmentName } from '../../api/names.ts';
import type { IPAddress } from '../../api/objects.ts';
import { ipAddresses } from '../../api/plain-resources.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { fields, named, required } from '../declare/rules.ts';

/**
 * The kind IPAddress. Its name is the address, and its parent never changes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/networking/ipaddress/strategy.go,
 * pkg/apis/networking/validation/validation.go ValidateIPAddress, ValidateIPAddressUpdate
 *
 * Differs: `generateName` appends letters, so a generated name is never a valid address.
 */
export const ipAddress = declareKind<IPAddress>({
  resource: ipAddresses,
  validateName: isCanonicalIP,
  rules: [
    fields<IPAddress>({
      spec: fields<networking.IPAddressSpec>({
        parentRef: required(
          fields<networking.ParentReference>({
            group: named(isDNS1123Subdomain),
            resource: required(named(isValidPathSegmentName)),
            name: required(named(isValidPathSegmentName)),
            namespace: named(isValidPathSegmentName),
          }),
        ),
      }),
    }),
  ],
  immutable: ['spec.parentRef'],
});
