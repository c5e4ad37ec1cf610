// One file a level, in teaching order.
import './levels/1-chain.test.ts';
import './levels/2-namespaces.test.ts';
import './levels/3-pods.test.ts';
import './levels/4-quota.test.ts';
import './levels/5-match.test.ts';
import './levels/6-answer.test.ts';
import './levels/7-mutating.test.ts';
import './levels/8-validating.test.ts';
import './levels/9-pod-security.test.ts';
import './levels/10-nodes.test.ts';
