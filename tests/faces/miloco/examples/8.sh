miloco-cli task create --task-id mom_arrival --description "妈妈回家欢迎播报"
miloco-cli rule create --task-id mom_arrival \
  --name "[mom_arrival] 妈妈回家欢迎" \
  --mode state \
  --condition "妈妈伴随开门动作从户外走入玄关画面，正面或侧面对镜头；不含路过门口但未开门走入的短暂停留，不含其他家庭成员或来访客人进门" \
  --source <玄关摄像头 DID> \
  --exit-debounce-seconds 1800 \
  --on-enter-desc "使用音箱播报通知：向妈妈说一段欢迎回家的话"
