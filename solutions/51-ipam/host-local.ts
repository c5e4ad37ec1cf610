/** host-local as a program: `CNI_COMMAND=ADD CNI_… npx tsx solutions/51-ipam/host-local.ts < network.json`. */
import { runAsProgram } from '#harness/node';
import { hostLocal } from './ipam.ts';

await runAsProgram(hostLocal);
