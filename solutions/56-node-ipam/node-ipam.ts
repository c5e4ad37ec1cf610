export { CidrSet } from './cidr-set.ts';
export { newNodeIpamController, nodeIpamController } from './node-ipam-controller.ts';
