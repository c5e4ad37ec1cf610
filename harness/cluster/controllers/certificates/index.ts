import type { CertificateAuthority } from '../../../platform/x509/authority.ts';
import type { Cluster } from '../../cluster.ts';
import type { Process } from '../../process.ts';
import { certificateApprovingController } from './approving.ts';
import { certificateSigningController } from './signing.ts';

/** Runs the controllers that approve and sign requests for certificates. @param authority the authority of the cluster */
export function runCertificateControllers(
  cluster: Cluster,
  authority: CertificateAuthority,
): readonly Process[] {
  return [
    cluster.run('certificatesigningrequest-approving-controller', certificateApprovingController),
    cluster.run('certificatesigningrequest-signing-controller', certificateSigningController(authority)),
  ];
}
