miloco-cli task create --task-id wakeup_curtain --description "起床开窗帘"
miloco-cli rule create --task-id wakeup_curtain \
  --name "[wakeup_curtain] 起床开窗帘" \
  --mode state \
  --condition "用户从卧床躺姿切换到坐起或离床站立姿态；不含翻身、伸懒腰等床上小动作，不含坐起喝水后躺回等短暂起身动作" \
  --exit-debounce-seconds 60 \
  --on-enter-action '{"did":"<窗帘 DID>","iid":"prop.X","value":true,"idempotent":true}' \
  --on-exit-desc "检查开窗帘是否仍有效，若已结束则复位"
