import './levels/1-fullness.test.ts';
import './levels/2-balance.test.ts';
import './levels/3-node-affinity.test.ts';
import './levels/4-taints.test.ts';
import './levels/5-sum.test.ts';
import './levels/6-images.test.ts';
import './levels/7-spread.test.ts';
import './levels/8-pod-affinity.test.ts';
