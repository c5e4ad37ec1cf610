// One file a level, in teaching order.
import './levels/1-silence.test.ts';
