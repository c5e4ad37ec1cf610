/** Level 1 · Name. */
import { framework } from '#harness';

const otherName = framework.unresolvable("node(s) didn't match the requested node name");

export const nodeName: framework.FilterPlugin = {
  name: 'NodeName',
  filter(_state, { spec }, nodeInfo) {
    return spec.nodeName && spec.nodeName !== nodeInfo.name ? otherName : framework.success;
  },
  eventsToRegister: framework.eventsToRegister.nodeName,
};
