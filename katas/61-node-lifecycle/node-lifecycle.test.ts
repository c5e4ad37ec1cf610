// One file a level, in teaching order.
import './levels/1-silence.test.ts';
import './levels/2-taints.test.ts';
import './levels/3-zones.test.ts';
import './levels/4-pass.test.ts';
import './levels/5-eviction.test.ts';
import './levels/6-pod-gc.test.ts';
