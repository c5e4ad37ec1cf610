import { describe } from 'vitest';
import { describeRuntimeContract } from './contract/runtime-contract.ts';

describe('A container runtime', () => {
  for (const profile of ['containerd', 'cri-o', 'cri-dockerd'] as const) describeRuntimeContract(profile);
});
