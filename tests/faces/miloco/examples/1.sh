miloco-cli task create --task-id fall_alert --description "家里有人摔倒报警"
miloco-cli rule create --task-id fall_alert \
  --name "[fall_alert] 摔倒报警" \
  --mode event \
  --condition "任何人身体突然失去平衡倒地，呈仰面/侧卧/俯卧姿态躺在地面；不含主动卧倒、躺床睡觉等休息姿态，不含做仰卧起坐、瑜伽下犬式/平板支撑等贴地运动" \
  --action-desc "使用音箱播报通知：有人摔倒了，立即报警"
